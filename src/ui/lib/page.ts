/** What the page was loaded with: the path of its world, of the site before it, and its name. */
const { prefix = '', site = '', world: name = '' } = document.body.dataset

export const world = { prefix, site, name }

/** The path of a world of this site. */
export const prefixOf = (name: string): string => (name === 'default' ? site : `${site}/w/${name}`)

/** The path of a control operation in this world. */
export const controlPath = (path: string): string => `${prefix}/_sandbox${path}`
