import {
  Children,
  Component,
  createRef,
  forwardRef,
  isValidElement,
  type ElementType,
  type ForwardedRef,
  type ReactElement,
  type ReactNode,
} from 'react'
import { renderToString } from 'react-dom/server'
import * as react from 'react/jsx-runtime'
import { expect, test } from 'vitest'
import { Fragment, jsx } from './jsx-runtime.ts'

test('an element is one that React knows, with its key', () => {
  const element = jsx('a', { href: '/' }, 7)
  expect(isValidElement(element)).toBe(true)
  expect(Children.map([element], (one) => one)?.[0]?.key).toBe('.$7')
})

test('a key or a ref among the properties is no property', () => {
  const ref = createRef()
  expect(jsx('a', { href: '/', ref, key: 'k' })).toMatchObject({ key: 'k', props: { href: '/' }, ref })
  expect(Object.keys(jsx('a', { href: '/', ref, key: 'k' }).props)).toEqual(['href'])
})

test("a page is written as by React's own", () => {
  class Named extends Component<{ name: string; children?: ReactNode }> {
    static defaultProps = { name: 'nobody' }
    override render() {
      return Children.count(this.props.children) + this.props.name
    }
  }
  const Passed = forwardRef(({ id }: { id: string }, ref: ForwardedRef<unknown>) => id + String(ref === null))
  const page = (element: (type: never, props: never, key?: string) => ReactElement) => {
    const h = element as (type: ElementType, props: object, key?: string) => ReactElement
    const list = ['x', 'y'].map((key) => h('li', { children: key }, key))
    const parts = [
      h('input', { defaultValue: '<&>', disabled: true }),
      list,
      h(Named, { children: 'c' }),
      h(Passed, { id: 'i', ref: createRef() }),
    ]
    return h('main', { className: 'a "b"', hidden: undefined, children: h(Fragment, { children: parts }) })
  }
  expect(renderToString(page(jsx))).toBe(renderToString(page(react.jsxs)))
})
