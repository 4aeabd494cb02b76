import type { FrameLocator, Page } from 'playwright-core'

/** A button of the demo by its name in the stories, once it may be pressed. */
export const step = (page: Page | FrameLocator, name: string) =>
  page.locator(`body:not([inert]) [data-step="${name}"]:enabled`)

/** Presses buttons of the demo, one after the other. */
export async function tap(page: Page | FrameLocator, ...names: string[]): Promise<void> {
  for (const name of names) await step(page, name).click()
}
