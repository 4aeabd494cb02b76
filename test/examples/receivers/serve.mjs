// node serve.mjs PORT FILE [BUG], under `ramp-sandbox explore --run`
import { bugs } from './bugs.mjs'
import { openShop, right, serveShop } from './shop.mjs'

const [, , port, file, bug] = process.argv
const { env } = process
const place = {
  url: env.RAMP_SANDBOX_URL,
  apiKey: env.RAMP_SANDBOX_API_KEY,
  signingSecret: env.RAMP_SANDBOX_SIGNING_SECRET,
}
serveShop(openShop(file, place), bug ? bugs[bug] : right).listen(Number(port), '127.0.0.1')
