/** The package's version, put in place by scripts/build.mjs and vitest.config.ts. */
declare const __VERSION__: string
