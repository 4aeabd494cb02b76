import { lazy } from '../lib/lazy.tsx'

const load = () => import('./later.tsx')

/** A component of `later.tsx`, whose code is loaded when one of them is first shown. */
export const whenOpened = (name: keyof Awaited<ReturnType<typeof load>>) => lazy(load, name)
