import type { Child } from 'hono/jsx'
import { Document } from '../dashboard/layout.tsx'
import type { View } from '../dashboard/view.ts'

/** The demo wallet: an integrator's app on a phone, run by code in the browser. */
export function renderDemo({ services, control, prefix, world }: View): Child {
  return (
    <Document
      title={`Demo wallet · ${services.name} · ramp-sandbox`}
      version={control.version}
      script="demo.js"
      stylesheet="demo.css"
      class="demo"
      data={{
        prefix,
        key: world.integrators[0]?.apiKey ?? '',
        brand: JSON.stringify(world.brand ?? {}),
      }}
    >
      <div id="demo" />
    </Document>
  )
}
