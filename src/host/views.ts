// The inspector's pages, loaded together on the first request for one.
export { renderPage, respondWithNotice, submitForm } from '../pages/index.ts'
