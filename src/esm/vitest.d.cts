// The types of the fixture for `require`.
type Fixture = typeof import('./vitest.js', { with: { 'resolution-mode': 'import' }})

export type * from './vitest.js' with { 'resolution-mode': 'import' }
export declare const test: Fixture['test']
