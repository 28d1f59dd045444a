import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { loadShop } from '../sales/online-sale.server.ts'
import { ProductSummary } from '../sales/product-summary.tsx'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Programs and prices')

export const loader = ({ context }: LoaderFunctionArgs) => loadShop(context)

export default function BuyPage() {
  const { products } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-[44rem] px-gutter pt-6 sm:pt-10">
      <h1 className="font-serif text-4xl text-balance">Programs and prices</h1>
      {products.length ? (
        <ul className="rows mt-6 overflow-hidden rounded-2xl border border-line">
          {products.map((product) => (
            <li key={product.slug}>
              <Link to={`/buy/${product.slug}`} className="group flex px-6 py-4 hover:bg-brand-soft">
                <ProductSummary product={product} />
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-6 text-ink-2">There is nothing to buy here at the moment.</p>
      )}
    </div>
  )
}
