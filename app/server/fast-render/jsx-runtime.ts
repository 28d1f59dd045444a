import { createElement, Fragment, type ComponentType, type ReactElement } from 'react'

export { Fragment }

type Props = Record<string, unknown>

const reactElement = Symbol.for('react.element')

/**
 * What JSX becomes on the server, in the build: an element keeps the properties that it was given. React 18 copies them one by
 * one, because `ref` and `key` are none there, and that took a tenth of a page. React 19 keeps them too.
 */
export function jsx(type: string | ComponentType<Props>, props: Props, key?: unknown): ReactElement {
  if (props.ref !== undefined || props.key !== undefined || (typeof type !== 'string' && type.defaultProps)) {
    return createElement(type, key === undefined ? props : { ...props, key: String(key) })
  }
  const element = {
    $$typeof: reactElement,
    type,
    key: key === undefined ? null : String(key),
    ref: null,
    props,
    _owner: null,
  }
  return element
}

export { jsx as jsxs }
