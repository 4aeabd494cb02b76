import { type Html, renderApplication } from './document.ts'
import type { Page } from './request.ts'

/** The inspector: an application that shows what happens in a world, and lets people act on it. */
export const renderInspector = (page: Page): Html =>
  renderApplication(page, {
    title: page.services.name,
    script: 'inspector.js',
    kind: 'inspector',
    data: {
      prefix: page.prefix,
      site: page.sitePath,
      world: page.services.name,
      position: String(page.services.journal.position),
    },
  })
