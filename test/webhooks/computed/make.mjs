// Writes computed.json: one webhook as the sandbox sends it, and the signatures that real programs
// in six languages compute for it by a mistake. Run it by hand, with the jars of Gson and Jackson in CLASSPATH:
//   CLASSPATH=gson.jar:jackson-core.jar:jackson-databind.jar:jackson-annotations.jar node make.mjs
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'

process.chdir(import.meta.dirname)
const secret = 'whsec_aa1bb96ceef8f2bfc02b24f1244ce66680727d563de94c6a'
/** Just before the programs start, because some sign their own time. */
const timestamp = String(Math.floor(Date.now() / 1000))
const event = {
  id: 'evt_4333707d58461637156380fc556ca83a',
  apiVersion: 'v2',
  occurredAt: '2026-11-28T15:54:55.260Z',
  type: 'transaction.update',
  payload: {
    transactionId: 'e1df5443-08d3-4508-94c5-895e157e1d42',
    status: 'pending request money transfer',
    email: 'alice@example.com',
    wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
    paymentId: null,
    leftSideLabel: 'CAD',
    leftSideValue: 250,
    rightSideLabel: 'USDC-ETH',
    rightSideValue: 177.4,
    etransferSecurityAnswer: null,
    externalSessionId: "zoé/漢字 <b>&'🎉+=",
  },
}
const body = JSON.stringify(event, null, 1).replace(/\n */g, ' ')
const signature = `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

/** Node first, whose own clock must show the same second, and Python after the slow ones. */
const PROGRAMS = {
  Node: [process.execPath, 'mistakes.mjs'],
  Java: ['java', 'Mistakes.java'],
  Go: ['go', 'run', 'mistakes.go'],
  Python: ['python3', 'mistakes.py'],
  PHP: ['php', 'mistakes.php'],
  Ruby: ['ruby', 'mistakes.rb'],
}
/** By language: the parsed body as it is written again, and signatures by their mistake. */
const programs = Object.entries(PROGRAMS).map(([language, [command, ...args]]) => {
  const out = execFileSync(command, [...args, timestamp, secret], { input: body, encoding: 'utf8' })
  const lines = out.trimEnd().split('\n')
  const { written, ...computed } = Object.fromEntries(lines.map((line) => line.split('\t')))
  return [language, { written, computed }]
})
const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature }
const all = { secret, received: { headers, body }, programs: Object.fromEntries(programs) }
writeFileSync('computed.json', `${JSON.stringify(all, null, 2)}\n`)
