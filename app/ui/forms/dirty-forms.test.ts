import { expect, test } from 'vitest'
import { leavesForm } from './dirty-forms.ts'

const leaves = (from: string, to: string): boolean => {
  const [before, after] = [from, to].map((url) => new URL(url, 'http://localhost'))
  return leavesForm(before!, after!)
}

test('another page, step, view, message, schedule or dialog leaves a form', () => {
  const moves = [
    ['/clients', '/tasks'],
    ['/onboarding?step=1', '/onboarding?step=2'],
    ['/contracts/1', '/contracts/1?view=preview'],
    ['/calendar/messages', '/calendar/messages?message=reminder'],
    ['/calendar/availability?schedule=1', '/calendar/availability?schedule=2'],
    ['/clients?dialog=add', '/clients'],
  ]
  expect(moves.filter(([from, to]) => !leaves(from!, to!))).toEqual([])
})

test('filters, earlier pages and a dialog over its page do not', () => {
  const moves = [
    ['/clients', '/clients?status=active'],
    ['/messages/1', '/messages/1?before=9'],
    ['/contracts/1', '/contracts/1?dialog=send'],
    ['/contracts/1?view=preview', '/contracts/1?view=preview&dialog=send'],
  ]
  expect(moves.filter(([from, to]) => leaves(from!, to!))).toEqual([])
})
