/** What the page was loaded with: the path of its world, of the site before it, and of its own pages. */
const { prefix = '', site = '', root = '/_sandbox' } = document.body.dataset

export const world = { prefix, site, root }

/** The path of a control operation in this world. */
export const controlPath = (path: string): string => `${prefix}/_sandbox${path}`
