import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: {
    title: '此浏览器中未找到钱包。',
    text: '钱包是保管数字货币并为您签名的应用或浏览器扩展。奖金和参赛费以 USDC 支付，这是一种跟随美元币值的数字货币。',
    how: '请安装钱包扩展并重新加载本页。在手机上，请在钱包应用自带的浏览器中打开本页。',
  },
  test: '测试钱包',
  testHint: '在此浏览器中为测试网络创建，只存放测试资金。',
  chain: '链 {chainId}',
});
