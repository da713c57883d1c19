import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

const GIVE = `kirim, kirimkan, berikan, sebutkan, bagikan, balas, beritahu, infokan, masukkan, minta, teruskan, isi, lengkapi,
  konfirmasi, verifikasi, perbarui, siapkan, daftarkan`;

export const INDONESIAN: LanguageCues = {
  tactics: {
    one_time_code: {
      verbs: parsePhrases(
        'kirim, kirimkan, berikan, sebutkan, bagikan, balas, beritahu, infokan, minta, teruskan',
      ),
      nouns: parsePhrases(
        'kode otp, kode verifikasi, kode rahasia, kode 6 digit, kode sms, kode yang anda, kode yang masuk, kodenya',
      ),
    },
    remote_access: { verbs: parsePhrases('pasang, unduh, instal, buka') },
    irrevocable_payment: {
      verbs: parsePhrases('beli, belikan, kirim, kirimkan, bayar'),
      nouns: parsePhrases('kartu hadiah, voucher google play, voucher game, voucher steam'),
    },
    credentials: {
      phrases:
        parsePhrases(`konfirmasi data anda, perbarui data anda, verifikasi akun anda, verifikasi data anda, verifikasi identitas,
        update data anda, lengkapi data diri`),
      verbs: parsePhrases(GIVE),
      nouns:
        parsePhrases(`kata sandi, nomor kartu, nomor rekening, no rekening, nomor atm, pin atm, pin anda, data pribadi, data diri,
        password, nik, foto ktp, nomor ktp, ktp, tanggal lahir, nama ibu kandung, user id, data rekening`),
    },
    fee: {
      phrases: parsePhrases(
        'bayar sekarang, segera bayar, segera lunasi, lakukan pembayaran, selesaikan pembayaran, mohon segera transfer',
      ),
      verbs: parsePhrases(
        'bayar, bayarkan, lunasi, transfer ke, silakan transfer, segera transfer, kirim, setor, bayar dulu',
      ),
      nouns:
        parsePhrases(`biaya, biaya admin, biaya administrasi, biaya pengiriman, pajak, denda, tagihan, bea cukai, deposit, uang muka,
        ongkir, uang, pajaknya, tunggakan`),
    },
    call_back: {
      phrases: parsePhrases(
        'tekan 1, tekan 9, segera hubungi, hubungi kami segera, hubungi nomor, hubungi call center',
      ),
      verbs: parsePhrases('hubungi, telepon, telpon'),
    },
    secrecy: {
      phrases: parsePhrases(
        'jangan bilang siapa, jangan beritahu siapa, jangan cerita ke siapa, rahasiakan, jangan bilang bank',
      ),
    },
    elsewhere: {
      phrases: parsePhrases('save nomor, simpan nomor saya, simpan nomorku'),
      verbs: parsePhrases('hubungi, gabung, lanjut, tambahkan'),
      nouns: parsePhrases('grup telegram, grup whatsapp, grup wa'),
    },
    open_link: {
      phrases: parsePhrases(
        'klik link, klik tautan, klik di sini, klik disini, buka link, buka tautan, melalui link, lewat link',
      ),
      verbs: parsePhrases(
        'klik, kunjungi, buka, akses, melalui, lewat, cek, daftar, klaim, verifikasi, konfirmasi, bayar',
      ),
    },
    new_number: {
      phrases:
        parsePhrases(`nomor baru saya, nomor baruku, nomorku yang baru, nomor saya yang baru, ganti nomor, ini nomor baru, hp rusak, hpku rusak, hp saya rusak, hp saya hilang,
        hpku hilang, hp aku rusak, hp jatuh, hp ku rusak`),
    },
    blocked: {
      phrases:
        parsePhrases(`akan diblokir, telah diblokir, sudah diblokir, diblokir sementara, akan dinonaktifkan, telah dinonaktifkan,
        dinonaktifkan karena, akan ditutup, telah ditangguhkan, akan ditangguhkan, dibekukan, akan dihapus permanen, akan diputus, terblokir`),
    },
    threat: {
      phrases: parsePhrases(
        'surat penangkapan, akan ditangkap, proses hukum, jalur hukum, akan dikenakan denda, dikembalikan ke pengirim, debt collector, akan dipidana',
      ),
    },
    haste: {
      phrases:
        parsePhrases(`segera sebelum, dalam 24 jam, dalam 1x24 jam, hari ini juga, sekarang juga, peringatan terakhir, kesempatan terakhir, berakhir hari ini,
        segera hubungi, segera lakukan, mohon segera, segera verifikasi, segera konfirmasi, segera bayar, sebelum terlambat`),
    },
    payment_problem: {
      phrases: parsePhrases(
        'belum dibayar, pembayaran gagal, tagihan menunggak, tagihan tertunggak, tunggakan, gagal bayar, pembayaran anda gagal, jatuh tempo',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'gagal dikirim, tidak dapat dikirim, tidak dapat diantar, gagal diantar, tertahan di gudang, ditahan bea cukai, alamat tidak lengkap, tertahan di bea cukai, ditahan di bea cukai',
      ),
      verbs: parsePhrases('tertahan, ditahan, gagal'),
      nouns: parsePhrases('paket anda, paket, kiriman anda, kiriman'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'transaksi mencurigakan, aktivitas mencurigakan, login mencurigakan, jika bukan anda, bila bukan anda, perangkat baru, perangkat tidak dikenal',
      ),
    },
    virus: { phrases: parsePhrases('terinfeksi virus, terkena virus, diretas, telah dibajak') },
    prize: {
      phrases: parsePhrases(
        'anda memenangkan, anda menang, selamat anda, pemenang undian, hadiah anda, klaim hadiah, mendapatkan hadiah, cek tunai, salah satu pemenang, anda terpilih, nomor anda terpilih',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'komisi harian, gaji harian, penghasilan tambahan, penghasilan harian, profit dijamin, pasti untung, tanpa risiko, profit harian, kerja online, kerja paruh waktu, kerja dari rumah, bonus harian, auto profit',
      ),
    },
    offer: {
      phrases: parsePhrases(
        'pinjaman anda disetujui, pinjaman online, dana cepat, pinjaman tanpa jaminan, tanpa bi checking, pinjaman cepat',
      ),
    },
    meeting: {
      phrases: parsePhrases(
        'salah nomor, salah simpan nomor, senang kenal kamu, boleh kenalan, senang berkenalan',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        'saya rekam, video kamu sudah, saya sebar ke, sebar ke keluarga, sebarkan video, semua kontak kamu, semua kontakmu',
      ),
    },
    unreachable: {
      phrases: parsePhrases(
        'lagi rapat, sedang rapat, tidak bisa telepon, gak bisa telpon, tidak bisa ditelepon',
      ),
    },
    vague_greeting: {
      phrases: parsePhrases(
        'nasabah yang terhormat, pelanggan yang terhormat, yth nasabah, yth pelanggan, nasabah yth, pelanggan yth',
      ),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'paket anda, paket saya ditahan, kiriman anda, resi, gagal dikirim, bea cukai, jnt, jne, sicepat, pos indonesia, kurir',
    ),
    toll_or_fine_scam: parsePhrases(
      'tilang, surat tilang, e tilang, denda tilang, pelanggaran lalu lintas, etle',
    ),
    otp_request: parsePhrases('kirim kode, kode otp nya, kode yang anda terima, sebutkan kode'),
    tax_scam: parsePhrases(
      'djp, pajak anda, direktorat jenderal pajak, kantor pajak, npwp, coretax, pengembalian pajak',
    ),
    bank_impersonation: parsePhrases(
      'bank bri, bank bca, bank mandiri, bank bni, rekening anda, kartu kredit anda, kartu atm, mobile banking, nasabah, m banking, brimo, biaya transaksi, biaya transfer',
    ),
    account_takeover: parsePhrases(
      'akun anda, akun whatsapp, akun facebook, akun instagram, verifikasi akun, langganan anda',
    ),
    tech_support_scam: parsePhrases('komputer anda, terinfeksi virus, dukungan teknis'),
    family_emergency: parsePhrases(
      'nomor baruku, nomor baru saya, halo ma, halo mah, ma ini aku, hp rusak, anak bapak, anak ibu, kecelakaan',
    ),
    crypto_scam: parsePhrases('investasi, trading, kripto, titip dana, modal kembali'),
    job_scam: parsePhrases(
      'lowongan kerja, loker, kerja online, kerja paruh waktu, gaji harian, kerja sampingan, freelance, kerja dari rumah',
    ),
    prize_scam: parsePhrases('pemenang, undian, hadiah, giveaway, menang, voucher gratis'),
    loan_scam: parsePhrases('pinjaman, pinjol, dana tunai, dana hibah, kredit tanpa'),
    business_email_compromise: parsePhrases(
      'rekening baru kami, perubahan rekening, faktur terlampir, invoice terlampir',
    ),
    romance_scam: parsePhrases('salah nomor, kenalan, sayang, jodoh'),
    marketplace_scam: parsePhrases('barang murah, dp dulu, rekber, barang sitaan'),
  },
};
