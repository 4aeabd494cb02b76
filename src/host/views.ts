// What a browser shows, loaded as one when the first page is asked for.
export { show } from '../dashboard/index.tsx'
export { demo } from '../demo/page.tsx'
