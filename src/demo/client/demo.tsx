import { render } from 'hono/jsx/dom'
import { App } from './app.tsx'
import { startAsNewUser } from './flow.ts'
import { listenToWorld } from './stream.ts'

const root = document.getElementById('demo')
if (root) {
  render(<App />, root)
  void startAsNewUser()
  listenToWorld()
  document.body.inert = false
}
