// Prints the calls that the sandbox refused, oldest first, each with its reason and a hint.
const CALLS_MAX = 50
const { RAMP_SANDBOX_CONTROL_URL: control } = process.env

console.log('::group::Calls that the sandbox refused')
try {
  if (control === undefined) throw new Error('RAMP_SANDBOX_CONTROL_URL is not set')
  const response = await fetch(`${control}/requests?refused=true&limit=${CALLS_MAX}`)
  const { requests } = await response.json()
  for (const request of requests) print(request)
  if (requests.length === 0) console.log('None.')
} catch (error) {
  console.log(`The sandbox cannot be asked: ${error.cause?.code ?? error.message}.`)
}
console.log('::endgroup::')

function print({ id, method, url, status, reason, problems }) {
  console.log(`${id}  ${method} ${url}  ${status}`)
  for (const { message } of problems) console.log(`    ${message}`)
  if (reason?.hint) console.log(`    ${reason.hint}`)
}
