/** The package's version, put in place by scripts/rolldown.config.mjs and vitest.config.ts. */
declare const __VERSION__: string
