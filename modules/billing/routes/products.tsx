import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Ellipsis, Pencil, Plus, ReceiptText, Trash2 } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { recordId } from '#app/lib/record-id.ts'
import { revalidates } from '#app/lib/revalidate.ts'
import { formOf, submit } from '#app/lib/submit.ts'
import { chosen as chosenFields } from '#app/lib/two-tabs.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Empty, PathDrawing } from '#app/ui/empty.tsx'
import { GoneDialog } from '#app/ui/gone-dialog.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Link } from '#app/ui/link.tsx'
import { Menu } from '#app/ui/menu.tsx'
import { Page } from '#app/ui/page.tsx'
import { keepTyped } from '#app/ui/unreachable.ts'
import { attempt, backTo, press } from '#modules/press.server.ts'
import { ProductDialog } from '../components/product-dialog.tsx'
import { ProductEditForm, ProductForm } from '../forms.ts'
import { productsOnScreen } from '../queries/products.ts'
import { addProduct, deleteProduct, editProduct, restoreProduct } from '../services/products.ts'
import { priceWords, termsOf } from '../words.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Products')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const asked = new URL(request.url).searchParams
  const products = (await productsOnScreen(ctx)).map(({ coachId: _coach, createdAt: _at, updatedAt: _edited, duration: _count, ...product }) => product)
  const dialog = asked.get('dialog')
  const chosen = products.find(({ id }) => String(id) === asked.get('product')) ?? null
  return { products, dialog, chosen, gone: (dialog === 'edit' || dialog === 'delete') && !chosen }
}

const sorry = {
  add: 'Failed to create product',
  edit: 'Failed to update product',
  delete: 'Failed to delete product',
  restore: 'Failed to restore product',
}

export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  const form = await formOf(request.clone())
  const id = recordId(form.get('id'))
  switch (form.get('intent')) {
    case 'add':
      return submit(request, ProductForm, (input) => attempt(context, sorry.add, (ctx) => addProduct(ctx, input)), {
        to: '/products',
        toast: 'Product created',
      })
    case 'edit':
      return submit(request, ProductEditForm, ({ version, ...input }) => attempt(context, sorry.edit, (ctx) => editProduct(ctx, id, chosenFields(input, form), version)), {
        to: '/products',
        toast: 'Product updated',
      })
    case 'restore':
      return press(context, {
        to: backTo(request, '/products'),
        sorry: sorry.restore,
        done: { tone: 'success', title: 'Product restored' },
        work: (ctx) => restoreProduct(ctx, id),
      })
    case 'delete':
      return press(context, {
        to: '/products',
        sorry: sorry.delete,
        done: { tone: 'success', title: 'Product deleted', action: { label: 'Undo', to: '/products', fields: { intent: 'restore', id: String(id) } } },
        work: (ctx) => deleteProduct(ctx, id),
      })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

export const clientAction = keepTyped(sorry)

/** When another tab saved meanwhile, the dialog shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

export default function ProductsPage() {
  const { products, dialog, chosen, gone } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Products"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Products' }]}
      sentence="What you offer, and what it costs."
      actions={
        <>
          <SecondaryLink to="/purchases" icon={ReceiptText}>
            Purchases
          </SecondaryLink>
          <PrimaryLink icon={Plus} to="/products?dialog=add" preventScrollReset>
            Add Product
          </PrimaryLink>
        </>
      }
    >
      {products.length ? (
        <ul aria-label="Products" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {products.map((product) => (
            <li key={product.id} className="card flex flex-col p-5">
              <ProductCard product={product} />
            </li>
          ))}
        </ul>
      ) : (
        <Empty
          title="No products yet"
          drawing={<PathDrawing />}
          action={
            <ButtonLink to="/products?dialog=add" icon={Plus}>
              Add Product
            </ButtonLink>
          }
        >
          Create your first coaching product to get started
        </Empty>
      )}
      {dialog === 'add' && <ProductDialog closeTo="/products" />}
      {chosen && dialog === 'edit' && <ProductDialog key={chosen.id} product={chosen} closeTo="/products" />}
      {chosen && dialog === 'delete' && (
        <ConfirmDialog title="Delete Product" confirm="Delete Product" busyLabel="Deleting..." closeTo="/products" fields={{ intent: 'delete', id: String(chosen.id) }}>
          {chosen.name} can no longer be chosen. Purchases keep its name.
        </ConfirmDialog>
      )}
      {gone && <GoneDialog what="Product" kind="product" closeTo="/products" />}
    </Page>
  )
}

type Shown = ReturnType<typeof useLoaderData<typeof loader>>['products'][number]

function ProductCard({ product }: { product: Shown }) {
  return (
    <>
      <div className="flex items-start gap-2">
        <h2 className="h2 min-w-0 flex-1 wrap-anywhere">
          <Link className="rounded-sm hover:underline" to={`/products?dialog=edit&product=${product.id}`} preventScrollReset>
            {product.name}
          </Link>
        </h2>
        <Menu
          label={`Actions for ${product.name}`}
          entries={[
            { label: 'Edit', icon: Pencil, to: `/products?dialog=edit&product=${product.id}`, preventScrollReset: true },
            'line',
            { label: 'Delete', icon: Trash2, to: `/products?dialog=delete&product=${product.id}`, danger: true, preventScrollReset: true },
          ]}
        >
          <Ellipsis className="i" />
        </Menu>
      </div>
      {product.description && <p className="mt-1 line-clamp-3 text-ink-2 wrap-anywhere">{product.description}</p>}
      <p className="mt-auto flex flex-wrap items-baseline gap-x-2.5 pt-5">
        <span className="num text-xl font-semibold">{priceWords(product.price)}</span>
        <span className="text-sm text-ink-3">{termsOf(product)}</span>
        {!product.isActive && <Badge>Hidden</Badge>}
      </p>
    </>
  )
}
