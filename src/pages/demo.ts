import type { Bindings } from '../http/services.ts'
import { renderShell, type Shell } from './shell.ts'

interface DemoRequest
  extends Pick<Bindings, 'services' | 'prefix' | 'control'>,
    Pick<Shell, 'asset'> {
  /** Origin that the browser uses. */
  origin: string
}

/** The demo wallet: an integrator's app on a phone, run by code in the browser. */
export const renderDemo = ({ services, prefix, control, origin, asset }: DemoRequest): string =>
  renderShell({
    title: `Demo wallet · ${services.name} · ramp-sandbox`,
    script: 'demo.js',
    stylesheets: ['styles.css', 'demo.css'],
    kind: 'demo',
    data: { prefix, origin, hosts: JSON.stringify(control.hosts) },
    asset,
  })
