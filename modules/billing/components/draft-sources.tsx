import { useRef } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import type { DraftEditor } from '../draft-loader.server.ts'
import type { LineTexts } from '../invoices/line-form.ts'

/** Products and completed sessions to add as lines. `used`: the sources of the lines. */
export function DraftSources({
  products,
  sessions,
  used,
  isFull,
  onAdd,
}: Pick<DraftEditor, 'products' | 'sessions'> & {
  used: string[]
  isFull: boolean
  onAdd: (lines: LineTexts[]) => void
}) {
  const product = useRef<HTMLSelectElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const open = sessions.filter(({ line }) => !used.includes(line.source))
  if (!products.length && !open.length) return null
  return (
    <div className="mt-5 grid gap-5 border-t border-line-soft pt-5 sm:grid-cols-2">
      {products.length > 0 && (
        <div className="grid content-start gap-1.5">
          <label className="label" htmlFor="draft-product">
            Product
          </label>
          <div className="flex gap-2">
            <select ref={product} id="draft-product" name="productId" defaultValue="" className="input select min-w-0">
              <option value="">Choose a product</option>
              {products.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
            <Button
              type="submit"
              name="add"
              value="product"
              disabled={isFull}
              onClick={(event) => {
                event.preventDefault()
                const chosen = products.find(({ id }) => String(id) === product.current?.value)
                if (!chosen || !product.current) return product.current?.focus()
                product.current.value = ''
                onAdd([chosen.line])
              }}
            >
              Add<span className="sr-only"> Product</span>
            </Button>
          </div>
        </div>
      )}
      {open.length > 0 && (
        <fieldset className="grid min-w-0 content-start gap-1.5">
          <legend className="label mb-1.5">Completed sessions, not invoiced yet</legend>
          <ul ref={list} className="max-h-56 overflow-y-auto rounded-md border border-line" tabIndex={0}>
            {open.map(({ id, title, detail }) => (
              <li key={id}>
                <label className="flex min-h-11 cursor-pointer items-center gap-2.5 px-3 hover:bg-hover">
                  <input type="checkbox" name={`session${id}`} value="yes" className="check" />
                  <span className="min-w-0 flex-1 truncate">{title}</span>
                  <span className="shrink-0 text-sm text-ink-3">{detail}</span>
                </label>
              </li>
            ))}
          </ul>
          <Button
            type="submit"
            name="add"
            value="sessions"
            className="justify-self-start"
            disabled={isFull}
            onClick={(event) => {
              event.preventDefault()
              const checked = [...(list.current?.querySelectorAll<HTMLInputElement>(':checked') ?? [])]
              const chosen = open.filter(({ id }) => checked.some(({ name }) => name === `session${id}`))
              if (chosen.length) onAdd(chosen.map(({ line }) => line).toReversed())
            }}
          >
            Add Sessions
          </Button>
        </fieldset>
      )}
    </div>
  )
}
