import { spawn } from 'node:child_process'

/** What opens a URL on each kind of machine; the empty text is the title of a window. */
const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}
const OPENER: [string, ...string[]] = ['xdg-open']

/** Opens a URL in the browser of the machine, if it has one: a start never fails for the want of it. */
export function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? OPENER
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', ({ message }) => complain(message))
  child.on('exit', (code) => code && complain(`${command} ended with ${code}`))
  child.unref()

  function complain(why: string) {
    process.stderr.write(`ramp-sandbox: no browser could be opened (${why}); open ${url}\n`)
  }
}
