import type { ShopProduct } from './online-sale.server.ts'

/** A product as visitors read about it in a list. */
export function ProductSummary({ product: { name, price, description, details } }: { product: ShopProduct }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex justify-between gap-3 text-md">
        <span className="font-semibold wrap-anywhere group-hover:underline">{name}</span>
        <span className="num shrink-0">{price}</span>
      </span>
      {details && <span className="block text-ink-3">{details}</span>}
      {description && <span className="block whitespace-pre-line text-ink-3 wrap-anywhere">{description}</span>}
    </span>
  )
}
