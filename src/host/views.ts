// The inspector's pages, loaded together on the first request for one.
export { renderPage } from '../dashboard/index.tsx'
export { renderDemo } from '../pages/demo.ts'
