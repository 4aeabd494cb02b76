import type { Child } from 'hono/jsx'
import { toLanguage } from '../dashboard/hosted/words.ts'
import { Document } from '../dashboard/layout.tsx'
import type { View } from '../dashboard/view.ts'

/** The demo wallet: an integrator's app on a phone, run by code in the browser. */
export function renderDemo(view: View): Child {
  const { services, prefix, world } = view
  return (
    <Document
      title={`Demo wallet · ${services.name} · ramp-sandbox`}
      view={view}
      script="demo.js"
      stylesheet="demo.css"
      class="demo"
      lang={toLanguage(view.query.get('lang'))}
      data={{
        prefix,
        origin: view.origin,
        frames: JSON.stringify(view.control.frames),
        hosts: JSON.stringify(view.control.hosts),
        key: world.integrators[0]?.apiKey ?? '',
        brand: JSON.stringify(world.brand ?? {}),
      }}
    >
      <div id="demo" />
    </Document>
  )
}
