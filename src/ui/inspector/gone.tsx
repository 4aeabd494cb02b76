import { PageHead } from '../lib/parts.tsx'
import { page, urlOf } from '../lib/router.ts'

/** A row that does not exist, or no longer. */
export const Gone = ({ text }: { text: string }) => (
  <>
    <PageHead title="Page not found" />
    <p>{text}</p>
    <a href={urlOf(page.value)}>Show all</a>
  </>
)
