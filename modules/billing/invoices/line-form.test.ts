import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DraftForm } from './forms.ts'
import { describeLines, previewTotals, toLineInputs, type LineTexts } from './line-form.ts'
import { computeTotals } from './totals.ts'

const head = { id: '1', version: '1', description: 'Coaching', dueDate: '', notes: '', productId: '' }
const texts = fc.record<LineTexts>({
  description: fc.constantFrom('', 'Session', 'جلسة', '🎉'),
  quantity: fc.constantFrom('1', '0.5', '12', '', 'x'),
  price: fc.constantFrom('', '0', '19.90', '1,620', '$ 12.50', '12,50'),
  tax: fc.constantFrom('0', '7', '8.875', '19', '101'),
  source: fc.constantFrom('', 'product-3', 'session-8', 'client-2'),
})
const drafts = fc.record({
  lines: fc.array(texts, { maxLength: 20 }),
  discount: fc.constantFrom('', '10%', '12.5 %', '5', '1,000.00', '101%', 'free'),
  taxMode: fc.constantFrom('added', 'included'),
})

test('the totals on screen are those that are saved', () => {
  fc.assert(
    fc.property(drafts, ({ lines, discount, taxMode }) => {
      const form = { ...head, discount, taxMode, ...toLineInputs(lines) }
      const saved = DraftForm.safeParse(form)
      if (!saved.success) return
      const { draft } = saved.data
      const { totals, amounts, incomplete } = previewTotals(form, 'usd')
      const own = draft.discount
      const expected = computeTotals({
        lines: draft.lines,
        discountPercent: own && 'percent' in own ? own.percent : null,
        discountAmount: own && 'amount' in own ? own.amount : null,
        pricesIncludeTax: draft.pricesIncludeTax,
      })
      expect(totals).toEqual(expected)
      expect([...amounts.values()]).toEqual(expected.amounts)
      expect(incomplete).toBe(false)
    }),
  )
})

test('rows keep their numbers, and those that nobody filled in are left out', () => {
  const blank = { line2: ' ', quantity2: '1', price2: '', tax2: '19', source2: '' }
  const form = { ...head, ...blank, line7: 'Session', quantity7: '2', price7: 'ten', tax7: '19', source7: 'session-8' }
  const issues = DraftForm.safeParse({ ...form, taxMode: 'added', discount: '' }).error?.issues
  expect(issues?.map(({ path, message }) => [path[0], message])).toEqual([['price7', 'Enter an amount such as 150.00']])
  expect(previewTotals(form, 'usd')).toMatchObject({ totals: { total: 0 }, incomplete: true })

  const { lines } = DraftForm.parse({ ...form, price7: '1,000', taxMode: 'added', discount: '' }).draft
  expect(lines).toEqual([
    { description: 'Session', quantity: '2', unitPrice: 100_000, taxRate: '19', productId: null, appointmentId: 8 },
  ])
})

test('lines that look the same are the same, whatever their numbers', () => {
  const line = { description: 'Session', quantity: '1', price: '10.00', tax: '0', source: '' }
  expect(describeLines({ line4: 'Session', quantity4: '1', price4: ' 10.00', tax4: '0', source4: '' })).toBe(
    describeLines(toLineInputs([line])),
  )
  expect(describeLines(toLineInputs([line, line]))).not.toBe(describeLines(toLineInputs([line])))
})
