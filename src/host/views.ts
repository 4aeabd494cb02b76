// The inspector's pages, loaded together on the first request for one.
export { renderPage, submitForm } from '../pages/index.ts'
