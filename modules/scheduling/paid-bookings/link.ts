import { signedLink } from '#tenants/signed-link.ts'

/** The page where a visitor pays for a slot. */
export const { getPath: getPaidBookingPath, read: readPaidBookingToken } = signedLink('paid-booking', '/book/payment/')
