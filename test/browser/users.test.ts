import { describe, expect, it } from 'vitest'
import { openPage, press, useBrowser, visit } from './browser.ts'
import { NOON, start, startStory } from './sandbox.ts'

useBrowser()

describe('users', () => {
  it('users register in an empty world, which says what to do', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openPage(`${url}/_sandbox/`)
    await page.getByText('This world is empty.').waitFor()
    await page.locator('#nav-users').click()
    await page.getByText('No users yet.').waitFor()
    await page.getByLabel('E-mail address', { exact: true }).fill('ana@example.com')
    await press(page, 'Register', 'User registered')
    await page.getByRole('heading', { name: 'ana@example.com' }).waitFor()
    expect(page.url()).toMatch(/\/_sandbox\/ui\/users\/[0-9a-f-]{36}$/)
    await expect.poll(() => page.locator('.detail').innerText()).toContain('firstName is missing')
  })

  it('users go through every decision of a reviewer', async () => {
    const sandbox = await start({ clock: NOON })
    const { id } = await sandbox.api('POST', '/users', { email: 'ana@example.com' })
    const page = await openPage(`${sandbox.url}/_sandbox/ui/users/${id}`)
    const badge = page.locator('.detail-head .badge')
    for (const [button, status] of [
      ['Send for review', 'in-review'],
      ['Ask for documents', 'upload'],
      ['Reject', 'rejected'],
      ['Verify', 'verified'],
    ] as const) {
      await press(page, button, `The user’s status is now ${status}`)
      await expect.poll(() => badge.innerText()).toBe(status)
    }
    await page.getByText('Set any status, with a reason or a delay').click()
    await page.getByLabel('Status', { exact: true }).selectOption('inactive')
    await page.getByLabel('Reason').fill('Closed by the bank')
    await page.getByLabel('Delay in world time').fill('2h')
    await press(page, 'Decide', 'Decided')
    await expect.poll(() => page.locator('#scheduled').innerText()).toContain('1 scheduled')
    await press(page, 'To next task', '1 task ran')
    await expect.poll(() => badge.innerText()).toBe('inactive')
    await page.getByText('Closed by the bank', { exact: true }).waitFor()
  })

  it('the page of a user links to the KYC page, where the user can be verified', async () => {
    const sandbox = await start({ clock: NOON })
    const { id } = await sandbox.api('POST', '/users', { email: 'ana@example.com' })
    const page = await openPage(`${sandbox.url}/_sandbox/ui/users/${id}`)
    const opened = page.waitForEvent('popup')
    await press(page, 'Open the KYC page', 'KYC page opened')
    const kyc = await opened
    await kyc.getByRole('button', { name: 'Approve' }).click()
    await kyc.getByText('Approved. You can go back to the app.').waitFor()
    await expect.poll(() => page.locator('.detail-head .badge').innerText()).toBe('verified')
  })

  it('users have an account, access and limits of their own', async () => {
    const sandbox = await startStory()
    for (let i = 0; i < 3; i++) await sandbox.buy(sandbox.token, 100)
    const page = await openPage(`${sandbox.url}/_sandbox/ui/users/alice@example.com`)
    await page.getByText('3 of 3').waitFor()
    await press(page, 'Turn autodeposit on', 'Autodeposit is on')
    await page.getByText('Turn autodeposit off').waitFor()
    await press(page, 'Grant key-only access', 'Key-only access granted')
    await page.getByText('Revoke key-only access').waitFor()
    const user = await sandbox.control('GET', '/users/alice@example.com')
    expect(user).toMatchObject({ account: { autodeposit: true }, keyAccess: true })
    await page.getByText('from 10 to 9,999 CAD').waitFor()
  })

  it('the timeline of a user leaves out what the same clock change did to other users', async () => {
    const sandbox = await startStory()
    await sandbox.buy(sandbox.token, 100)
    await sandbox.verified('ana@example.com')
    await sandbox.buy(await sandbox.logIn('ana@example.com'), 200)
    await sandbox.control('POST', '/clock/advance', { by: '1h' })
    const page = await openPage(`${sandbox.url}/_sandbox/ui/users/ana@example.com`)
    const advance = page.locator('.detail .causes > li', { hasText: 'Advanced 1h' })
    await advance.getByText('Your order has expired').waitFor()
    expect(await advance.innerText()).not.toContain('alice@example.com')
    await advance.getByText('Your order has expired').click()
    await page.getByRole('link', { name: 'ana@example.com' }).last().waitFor()
    await visit(page, `${sandbox.url}/_sandbox/ui/inbox?kind=kyc-result`)
    await page.locator('.row-link').click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    expect(await page.locator('.detail').innerText()).not.toContain('Transaction')
  })
})
