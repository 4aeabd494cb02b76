import { isGenuine } from '../../webhook.js'

export async function POST(request) {
  const body = Buffer.from(await request.arrayBuffer())
  if (!isGenuine(Object.fromEntries(request.headers), body))
    return new Response(null, { status: 401 })
  const event = JSON.parse(body)
  console.log(event.type, event.payload.status)
  return new Response(null, { status: 204 })
}
