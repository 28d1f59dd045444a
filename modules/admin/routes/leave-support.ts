import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { adminUrl } from '../list-state.ts'

/** The server handles the form while there is a visit. In another tab it may be over. */
export const loader = ({ context }: LoaderFunctionArgs) => (context.coach(), redirect(adminUrl.href()))
export const action = loader
