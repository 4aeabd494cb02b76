import { expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { DESK, openPage, PHONE, useBrowser, visit } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

const SCRIPT = '<script>document.title="owned"</script>'
const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4)

/** Everything there is to see, with names that are made to break it. */
async function startAll() {
  const sandbox = await startStory()
  const profile = { firstName: SCRIPT, lastName: LONG, occupation: '<img src=x onerror=alert(1)>' }
  const email = `${LONG.toLowerCase().slice(0, 60)}@${'long-domain.'.repeat(8)}example.com`
  const id = await sandbox.verified(email, profile)
  const { id: other } = await sandbox.api('POST', '/users', { email: 'ana@example.com' })
  const { url } = await sandbox.api('GET', `/users/${other}/kyc-url`)
  const token = await sandbox.logIn(email)
  const more = { externalSessionId: `${SCRIPT}${LONG}` }
  const { id: tx } = await sandbox.buy(token, 9_999, more)
  await sandbox.sell(sandbox.token, 12.345678)
  await sandbox.buy(token, 1, more).catch(() => {})
  await sandbox.control('POST', '/snapshots', { name: LONG.slice(0, 64) })
  await sandbox.control('POST', '/faults', {
    on: 'api',
    match: {},
    then: { status: 503 },
    skip: 999,
  })
  await sandbox.control('POST', '/webhooks/drain')
  await sandbox.control('POST', '/webhooks/deliveries/dlv_2/resend', { mutate: 'body' })
  await sandbox.control('POST', `/simulate/transactions/${tx}/settled`, { through: true })
  const ui = ['users', `users/${id}`, `users/${other}`, `transactions/${tx}`, 'inbox/msg_4']
  const rest = ['webhooks/dlv_2', 'check-signature', 'webhooks', 'requests/req_9', 'requests']
  const last = ['actions/act_2', 'nothing', 'faults', 'settings', 'world', 'transactions?q=no']
  const paths = [...ui, ...rest, ...last, `search?q=${LONG.slice(0, 20)}`].map(
    (path) => `${sandbox.url}/_sandbox/ui/${path}`,
  )
  const bank = `${sandbox.url}/_sandbox/bank/${tx}`
  const demo = `${sandbox.url}/_sandbox/demo`
  const reference = ['', '/createTransaction'].map(
    (path) => `${sandbox.url}/_sandbox/reference${path}`,
  )
  return {
    urls: [sandbox.dashboard, ...paths, ...reference, url, bank, demo],
    user: `${sandbox.url}/_sandbox/ui/users/${id}`,
    ...sandbox,
  }
}

/** Of rows with the same elements, axe would find the same in each: there are 169 settings. */
function openAndLeaveOneOfEach() {
  for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '')
  const seen = new Set<string>()
  for (const row of document.querySelectorAll('main li, main tr')) {
    const all = [row, ...row.querySelectorAll('*')]
    const elements = all.map(({ tagName, classList }) => `${tagName}.${classList}`).join()
    if (seen.has(elements)) row.remove()
    seen.add(elements)
  }
}

/** Empties what is around every page: axe has seen it on the first one. */
function emptyShell() {
  const around = document.querySelectorAll('.inspector > .side, .inspector .clock-bar')
  for (const each of around) each.replaceChildren()
}

/** So many tests share the pages, because a busy machine needs minutes for all of them. */
const PARTS = [0, 1, 2]

it.each(PARTS)(
  'every page fits a phone, shows names of any length as plain text, and passes axe in light and dark: part %i',
  async (part) => {
    const { urls, user } = await startAll()
    const page = await openPage('about:blank', { bypassCSP: true })
    const own = urls.filter((_, index) => index % PARTS.length === part)
    for (const [index, url] of own.entries()) {
      await page.setViewportSize(PHONE.viewport)
      await page.emulateMedia({ colorScheme: 'light' })
      await visit(page, url)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, url).toBe(PHONE.viewport.width)
      expect(await page.title(), url).not.toBe('owned')
      expect(await page.locator('main img').count(), url).toBe(0)
      if (url === user) {
        await expect.poll(() => page.locator('.detail').innerText()).toContain(SCRIPT)
        await expect.poll(() => page.locator('.detail').innerText()).toContain('<img src=x')
      }
      await page.evaluate(openAndLeaveOneOfEach)
      if (index > 0) await page.evaluate(emptyShell)
      expect(await axeProblems(page, 'scrollable-region-focusable'), url).toEqual([])
      await page.setViewportSize(DESK)
      expect(await axeProblems(page), url).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await axeProblems(page, 'color-contrast'), `${url}, dark`).toEqual([])
    }
  },
)

it('the keyboard reaches the content, the rows and what they lead to', async () => {
  const { url, api, token, buy } = await startStory()
  await api('POST', '/users', { email: 'ana@example.com' })
  await buy(token, 100)
  const page = await openPage(`${url}/_sandbox/ui/users`)
  await page.keyboard.press('Tab')
  await page.getByText('Skip to content').waitFor()
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.keyboard.press('j')
  await page.locator('.detail').waitFor()
  const first = page.url()
  await page.keyboard.press('j')
  await expect.poll(() => page.url()).not.toBe(first)
  await page.keyboard.press('k')
  await expect.poll(() => page.url()).toBe(first)
  await page.goBack()
  await expect.poll(() => page.url()).not.toBe(first)
  await page.locator('#scheduled summary').focus()
  await page.keyboard.press('Enter')
  await page.locator('#scheduled .popover').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#scheduled .popover').waitFor({ state: 'hidden' })
  const button = page.getByRole('button', { name: '+24 h' })
  for (const day of ['02', '03']) {
    if (day === '02') await button.focus()
    await page.keyboard.press('Enter')
    await page.locator('#now', { hasText: `2026-07-${day}` }).waitFor()
    expect(await button.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.locator('[aria-disabled="true"]').waitFor({ state: 'detached' })
  }
})
