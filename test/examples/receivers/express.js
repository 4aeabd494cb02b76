import express from 'express'
import { isGenuine } from './webhook.js'

const app = express()

app.post('/webhooks', express.raw({ type: '*/*' }), (req, res) => {
  if (!isGenuine(req.headers, req.body)) return res.sendStatus(401)
  const event = JSON.parse(req.body)
  console.log(event.type, event.payload.status)
  res.sendStatus(204)
})

app.use(express.json()) // for your other routes
app.listen(process.env.PORT ?? 3000)
