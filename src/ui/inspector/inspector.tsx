import { render } from 'preact'
import { drawWith } from '../lib/draw.ts'
import { listenForKeys } from '../lib/keys.ts'
import { follow } from '../lib/live.ts'
import { startRouter } from '../lib/router.ts'
import { Shell } from './shell.tsx'

startRouter()
listenForKeys()
const place = document.getElementById('app')
if (place) drawWith(() => render(<Shell />, place))
document.body.inert = false
follow()
