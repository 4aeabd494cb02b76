// The types of the library for `require`: what it exports is the same.
type Library = typeof import('./index.js', { with: { 'resolution-mode': 'import' }})

export type * from './index.js' with { 'resolution-mode': 'import' }
export declare const connectSandbox: Library['connectSandbox']
export declare const createReceiver: Library['createReceiver']
export declare const createSandbox: Library['createSandbox']
export declare const SandboxError: Library['SandboxError']
export type SandboxError = InstanceType<Library['SandboxError']>
export declare const verifySignature: Library['verifySignature']
