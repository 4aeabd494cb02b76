// The commands that need the code of the server, loaded as one: fewer, larger files start faster.
export { exec } from './exec.ts'
export { fixtures } from './fixtures.ts'
export { start } from './start.ts'
