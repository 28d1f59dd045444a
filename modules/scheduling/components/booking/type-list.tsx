import { Link } from '#app/ui/navigation/link.tsx'
import { TypeDot } from '../type-dot.tsx'
import type { DescribedType } from '../../booking/describe-type.ts'

/** The types that visitors can book, as links. `current`: the slug of the chosen one. */
export function TypeList({
  types,
  current,
  toHref,
}: {
  types: DescribedType[]
  current?: string
  toHref: (slug: string) => string
}) {
  return (
    <ul className="rows mt-2">
      {types.map((type) => (
        <li key={type.slug}>
          <Link
            to={toHref(type.slug)}
            aria-current={type.slug === current ? 'true' : undefined}
            className="group flex items-start gap-3 rounded-md py-3.5"
          >
            <span
              aria-hidden="true"
              className={`mt-1 size-4 shrink-0 rounded-full ${
                type.slug === current ? 'border-[5px] border-brand-solid' : 'border border-ink-3'
              }`}
            />
            <TypeSummary type={type} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function TypeSummary({ type: { name, price, duration, description, place, color } }: { type: DescribedType }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex justify-between gap-3 text-md">
        <span className="font-semibold wrap-anywhere group-hover:underline">
          <TypeDot color={color} className="mr-1.5 align-middle" />
          {name}
        </span>
        {price && <span className="num shrink-0">{price}</span>}
      </span>
      <span className="block text-ink-3 wrap-anywhere">{[duration, place].filter(Boolean).join(' · ')}</span>
      {description && <span className="block whitespace-pre-line text-ink-3 wrap-anywhere">{description}</span>}
    </span>
  )
}
