import { describe, expect, it } from 'vitest'
import { openControl } from './control/control.ts'

const BRAND = { name: 'North <Bank>', accent: '#0a7d5a', logo: 'data:image/png;base64,AA==' }

describe('the brand of a fixture', () => {
  it('is given to the demo, and stays through export and import', async () => {
    await using control = openControl({ fixture: { brand: BRAND } })
    const read = async () => {
      const { text } = await control.app.send('/_sandbox/demo')
      const [, brand = ''] = /data-brand="([^"]*)"/.exec(text) ?? []
      return JSON.parse(
        brand.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
      )
    }
    expect(await read()).toEqual(BRAND)
    const state = await control.get('/state')
    await control.post('/reset', { fixture: 'verified-user' })
    expect(await read()).toEqual({})
    await control.put('/state', state)
    expect(await read()).toEqual(BRAND)
  })

  it.each([
    [{ logo: 'https://example.com/logo.png' }, 'brand.logo'],
    [{ logo: '//example.com/logo.png' }, 'brand.logo'],
    [{ logo: 'javascript:alert(1)' }, 'brand.logo'],
    [{ accent: 'green' }, 'brand.accent'],
    [{ name: 'x'.repeat(41) }, 'brand.name'],
  ])('is rejected as %j', async (brand, field) => {
    await using control = openControl({})
    const refused = await control.refused('POST', '/reset', { body: { fixture: { brand } } })
    expect(refused.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })
})
