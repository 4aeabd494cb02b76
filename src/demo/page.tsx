import type { Child } from 'hono/jsx'
import { Document } from '../dashboard/layout.tsx'
import type { View } from '../dashboard/view.ts'

/** The demo wallet: an app of an integrator on a phone, played by code in the browser. */
export function demo(view: View): Child {
  return (
    <Document
      title={`Demo wallet · ${view.sight.name} · ramp-sandbox`}
      version={view.visit.version}
      script="demo.js"
      class="demo"
      data={{
        prefix: view.visit.prefix,
        key: view.world.integrators[0]?.apiKey ?? '',
      }}
    >
      <div id="demo" />
    </Document>
  )
}
