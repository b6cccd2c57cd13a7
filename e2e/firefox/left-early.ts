/** What Firefox says of a file that was on its way when its page was left: that it has this hash, that of no bytes. */
export const LEFT_EARLY = 'OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb';
