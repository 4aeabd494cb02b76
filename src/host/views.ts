// What a browser shows, loaded as one when the first page is asked for.
export { renderPage } from '../dashboard/index.tsx'
export { renderDemo } from '../demo/page.tsx'
