import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { parseMarkup } from '#app/lib/markup.ts'
import { RichText } from './rich-text.tsx'

const pieces = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</div>',
  '<!--',
  '&lt;',
  '&#60;',
  '"',
  "'",
  '<',
  '>',
  '&',
  '**',
  '*',
  '__',
  '==',
  '\\',
  '\n',
  '• ',
  '# ',
  '### ',
  'שלום',
  '😀',
  'a',
]
const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
)

const own = /<\/?(?:div|p|h3|h4|h5|ul|li|strong|em|u|mark)(?: class="(?:prose |heading-[123])")?>|<br\/>/g
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

test('rendered markup contains only our own elements and all of the text', () => {
  fc.assert(
    fc.property(anything, (source) => {
      const words = renderToStaticMarkup(<RichText source={source} />).replaceAll(own, '')
      expect(words).not.toMatch(/[<>]/)
      expect(words.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity]!)).toBe(
        parseMarkup(source)
          .flatMap(({ runs }) => runs.map(({ text }) => text))
          .join(''),
      )
    }),
    { numRuns: 2000 },
  )
})

test('heading levels are never skipped, whatever sizes the text uses', () => {
  const tags = (source: string) => renderToStaticMarkup(<RichText source={source} />).match(/(?<=<)h\d/g)
  expect(tags('### Plan\n# Goals\n### Steps\n## Next')).toEqual(['h3', 'h3', 'h4', 'h4'])
  expect(tags('# Goals\n## Next\n### Steps')).toEqual(['h3', 'h4', 'h5'])
})
