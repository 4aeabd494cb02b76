// The commands that compare a sandbox with a provider, loaded as one: fewer files for the others.
export { record } from './record.ts'
export { replay } from './replay.ts'
