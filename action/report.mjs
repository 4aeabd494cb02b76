// Prints the newest calls that the sandbox refused in each of its worlds, oldest first, each with its
// reason and a hint; also those that a restore has undone.
const CALLS_MAX = 50
const { RAMP_SANDBOX_CONTROL_URL: control } = process.env

console.log('::group::Calls that the sandbox refused')
try {
  if (control === undefined) throw new Error('RAMP_SANDBOX_CONTROL_URL is not set')
  const { items: worlds } = await read(`${control}/worlds`)
  let refused = 0
  let calls = 0
  for (const { name, baseUrl } of worlds) {
    const list = `${baseUrl}/_sandbox/requests?undone=true`
    calls += (await read(`${list}&last=1`)).requests.length
    const { requests } = await read(`${list}&refused=true&last=${CALLS_MAX + 1}`)
    for (const request of requests.slice(-CALLS_MAX)) print(request)
    if (requests.length > CALLS_MAX)
      console.log(`Only the newest ${CALLS_MAX} are shown of ${name}.`)
    refused += requests.length
  }
  const names = worlds.map(({ name }) => name).join(', ')
  if (calls === 0) console.log('No call of the contract was made since the last reset.')
  else if (refused === 0) console.log(`None in the worlds that there are: ${names}.`)
} catch (error) {
  console.log(`The sandbox cannot be asked: ${error.cause?.code ?? error.message}.`)
}
console.log('::endgroup::')

async function read(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
  return await response.json()
}

function print({ id, method, url, status, reason, problems }) {
  console.log(`${id}  ${method} ${url}  ${status}`)
  for (const { message } of problems) console.log(`    ${message}`)
  if (reason?.hint) console.log(`    ${reason.hint}`)
}
