// What most visits do not open. Its code is loaded when the first of it is opened.
export { Action } from './action.tsx'
export { CheckSignature } from './check-signature.tsx'
export { Faults } from './faults.tsx'
export { Kyb } from './kyb.tsx'
export { Scheduled, Worlds } from './menus.tsx'
export { Search } from './search.tsx'
export { Settings } from './settings.tsx'
export { World } from './world.tsx'
