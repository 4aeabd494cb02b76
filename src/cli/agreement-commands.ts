// The commands that compare a sandbox with a provider or a scenario, loaded as one: fewer files for
// the others.
export { calibrate } from './calibrate.ts'
export { explore } from './explore.ts'
export { play } from './play.ts'
export { record } from './record.ts'
export { replay } from './replay.ts'
export { save } from './save.ts'
