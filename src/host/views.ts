// The inspector's pages, loaded together on the first request for one.
export { renderInspector } from '../dashboard/index.tsx'
export { renderPage, submitForm } from '../pages/index.ts'
