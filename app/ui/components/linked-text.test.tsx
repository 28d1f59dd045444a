import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LinkedText } from './linked-text.tsx'

const render = (text: string) => renderToStaticMarkup(<LinkedText text={text} />)
const link = (href: string) =>
  `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow" class="link">${href}</a>`

test('web addresses in a text are links, without the end of the sentence', () => {
  expect(render('See https://example.com/a?b=c, or (http://example.org).')).toBe(
    `See ${link('https://example.com/a?b=c')}, or (${link('http://example.org')}).`,
  )
})

test('nothing else is one', () => {
  for (const text of ['javascript:alert(1)', 'ftp://example.com', 'https:// is how it begins', 'https://'])
    expect(render(text)).toBe(text)
  expect(render('<b>https://example.com</b>')).toBe(`&lt;b&gt;${link('https://example.com')}&lt;/b&gt;`)
})

test('a long text of signs takes no time', () => {
  const began = performance.now()
  render(`https://${'.'.repeat(50_000)}x ${'https://'.repeat(10_000)}`)
  expect(performance.now() - began).toBeLessThan(500)
})
