import type { Child } from 'hono/jsx'
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
      data={{
        prefix,
        origin: view.origin,
        hosts: JSON.stringify(view.control.hosts),
        key: world.integrators[0]?.apiKey ?? '',
      }}
    >
      <div id="demo" />
    </Document>
  )
}
