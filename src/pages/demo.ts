import { type Html, renderApplication } from './document.ts'
import type { Page } from './request.ts'

/** The demo wallet: an integrator's app on a phone, run by code in the browser. */
export const renderDemo = (page: Page): Html =>
  renderApplication(page, {
    title: `Demo wallet · ${page.services.name}`,
    script: 'demo.js',
    stylesheets: ['styles.css', 'demo.css'],
    kind: 'demo',
    data: {
      prefix: page.prefix,
      origin: page.origin,
      hosts: JSON.stringify(page.control.hosts),
    },
  })
