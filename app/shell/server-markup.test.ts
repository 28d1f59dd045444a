import { expect, test } from 'vitest'
import type { CoachAccount, Viewer } from '#tenants/auth/viewer.ts'
import { renderBars } from './shell-bars.server.tsx'
import { renderSupportBar } from './support-bar.server.tsx'

const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

function expectEscaped(markup: string | null): void {
  expect(markup).toContain('&lt;script&gt;')
  expect(markup).not.toMatch(/<script|<img/)
}

test('bars show what administrators wrote as text', () => {
  expectEscaped(renderBars(null, [{ title: attack, text: attack, action: '/x', fields: { id: attack } }]))
  expectEscaped(renderBars({ plan: attack, until: attack }, []))
  expect(renderBars(null, [])).toBeNull()
})

test('the bar of a support visit shows names as text', () => {
  const coach = { firstName: attack, lastName: attack, email: attack } as CoachAccount
  const administrator = { timezone: 'UTC', timeFormat: '24h' } as CoachAccount
  const support = { id: 1, coach, administrator, until: '2026-03-10T14:00:00Z' }
  expectEscaped(renderSupportBar({ support } as Viewer))
  expect(renderSupportBar({} as Viewer)).toBeNull()
})
