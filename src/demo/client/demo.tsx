import { render } from 'hono/jsx/dom'
import { App } from './app.tsx'
import { newcomer } from './flow.ts'
import { hear } from './stream.ts'

const root = document.getElementById('demo')
if (root) {
  render(<App />, root)
  void newcomer()
  hear()
  document.body.inert = false
}
