/** All that the entries of the package take from the one file of the program. */
export { openWorld } from './client/client.ts'
export { openHost } from './host/create-sandbox.ts'
export * from './index.ts'
